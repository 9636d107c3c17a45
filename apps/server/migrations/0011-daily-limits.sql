-- How much an account may pass on a day, in hundredths; null: as much as it has. Set by whoever manages it.
alter table accounts add column daily_limit bigint check (daily_limit >= 0);
