// The error for a payload that an observer would not send, or a line that an archive would not contain.

/** The message completes "line 7: …". */
export class MalformedError extends Error {}
