// Runs one piece of work for the host: within a deadline, until nobody waits any more, and with every failure as a code.

import { CONTRACT, CallError } from "./contract.mjs";
import { WorkerFault } from "./worker.mjs";

/**
 * Return what the work returns; throws a `CallError` when it failed, took too long or was cancelled.
 *
 * @param {(signal: AbortSignal) => any} work may throw at once, or never settle
 * @param {{ms?: number, signals?: (AbortSignal | undefined)[], failure?: string}} options
 */
export async function within(work, { ms, signals = [], failure = "MEMORY_FAILED" }) {
  const own = new AbortController();
  const given = signals.filter((one) => typeof one?.addEventListener === "function");
  let timer;
  const stop = () => own.abort();
  try {
    return await new Promise((resolve, reject) => {
      own.signal.addEventListener("abort", () => reject(new CallError("CANCELLED")), { once: true });
      for (const one of given) one.addEventListener("abort", stop, { once: true });
      if (given.some((one) => one.aborted)) return stop();
      if (ms !== undefined) {
        timer = setTimeout(() => {
          reject(new CallError("TIMEOUT"));
          stop();
        }, ms);
      }
      return Promise.resolve()
        .then(() => work(own.signal))
        .then(resolve, (error) => reject(codeOf(error, failure)));
    });
  } finally {
    clearTimeout(timer);
    for (const one of given) one.removeEventListener("abort", stop);
  }
}

/** Return what a service of the host answers, whatever it throws being a `CallError`. */
export function ask(service, { ms = CONTRACT.deadlinesMs.host, signal } = {}) {
  return within(service, { ms, signals: [signal], failure: "HOST_FAILED" });
}

/** Return an error as the host is told of it; the words of a foreign one may be the person's, and are left out. */
export function codeOf(error, failure) {
  if (error instanceof CallError) return error;
  if (error instanceof WorkerFault) return new CallError(error.code, error.message);
  if (error?.code === CONTRACT.revisionConflict) return new CallError("CONFLICT");
  return new CallError(failure, error?.name ?? typeof error);
}
