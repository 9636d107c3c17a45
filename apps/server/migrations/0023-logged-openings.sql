-- The log tells of the draws that open, a row for each time some open in a network. These rows are nobody's: they have no chain, so that they
-- stand in no list of what people did, and none of its indexes has them. They have one of their own.
drop index activity_superadmin;
drop index activity_network;
create index activity_superadmin on activity (superadmin_id, id) where superadmin_id is not null;
create index activity_network on activity (network_id, id) where chain <> '{}';
create index activity_openings on activity (id) where chain = '{}';
