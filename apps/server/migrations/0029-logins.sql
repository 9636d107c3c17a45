-- Marks of notices are of a person, not of the account. Code OWN: own notices up to `at` are read.
alter table notice_marks add column login smallint not null default 0;
alter table notice_marks drop constraint notice_marks_pkey, add primary key (account_id, login, code, key);
