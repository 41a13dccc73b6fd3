// The line that run-worker.ts prints when its Worker has all that it is to serve.
export const WORKER_READY = 'the Worker is ready';
