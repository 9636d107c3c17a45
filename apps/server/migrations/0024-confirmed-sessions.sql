-- When the password of a session was last given, at its sign-in or within it: what is sensitive wants it to be lately. Null: not that we know.
alter table sessions add column password_at timestamptz;
update sessions set password_at = created_at;
