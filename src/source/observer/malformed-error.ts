// Error for input that an observer does not send, or in a form in which an archive does not store it.

/** The message completes "line 7: …". */
export class MalformedError extends Error {}
