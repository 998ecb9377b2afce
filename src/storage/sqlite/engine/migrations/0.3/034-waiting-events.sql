-- The sequencer takes the waiting events of each business in turn, so that many of one business delay no other.
DROP INDEX event_waiting;
CREATE INDEX event_waiting ON event (business_id, number) WHERE position IS NULL;
