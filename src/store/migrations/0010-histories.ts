// Adds the histories that the revisions of the ledger belong to: one for each index run that changed something.

export const histories: readonly string[] = [
  `create table history (after_revision integer primary key, token text not null) strict`,
  `insert into history values (0, lower(hex(randomblob(16))))`,
];
