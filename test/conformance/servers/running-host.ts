// Defines the interface of the suite's servers, which start with a built site and can be stopped.

/** The absolute paths of a built site: its output folder, and the folder that has a subfolder for each host. */
export interface BuiltSite {
  readonly dist: string;
  readonly hosts: string;
}

export interface RunningHost {
  /** The server's origin, such as `http://127.0.0.1:20123`. */
  readonly origin: string;
  /** Stops the server. Resolves after its process has ended and its files are removed. */
  stop(): Promise<void>;
}

export interface ConformanceServer {
  /** The name of the host in `build --hosts`. */
  readonly name: string;
  /** Starts the server, and resolves when it responds. Rejects with the server's output if it fails to start. */
  start(site: BuiltSite): Promise<RunningHost>;
}
