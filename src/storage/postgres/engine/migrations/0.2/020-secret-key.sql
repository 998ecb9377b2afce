-- A value computed from the secret key, by which another or a lost key is noticed.
CREATE TABLE secret_key (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), check_value TEXT NOT NULL);
