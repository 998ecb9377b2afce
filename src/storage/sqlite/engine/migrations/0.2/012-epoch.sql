-- Names this history of the database. A restored backup gets another one, so that what was read before can be told from what is read after.
CREATE TABLE epoch (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), value TEXT NOT NULL) STRICT;
INSERT INTO epoch (only_one, value) VALUES (1, lower(hex(randomblob(6))));
