// What came is not what an observer sends, or not in the form in which an archive keeps it.

/** The message completes "line 7: …". */
export class MalformedError extends Error {}
