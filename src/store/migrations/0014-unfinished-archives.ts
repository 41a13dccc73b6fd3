// Adds which archives were not read to their end, and why; of those that are stored already it is not known.

export const unfinishedArchives: readonly string[] = [
  `alter table archive add column unfinished_name text`,
  `alter table archive add column failure_code text`,
  `alter table archive add column failure_message text`,
];
