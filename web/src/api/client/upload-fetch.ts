import { expectServer, lost } from "./connection.ts";

/**
 * A `fetch` that tells how much of the body was sent, as a part of 1: `fetch` itself can't. The signal ends the call and its upload. Like
 * `fetch` it rejects with a TypeError where the server can't be reached, and with the signal's reason where it was ended.
 */
export const createUploadFetch =
  (onProgress: (sent: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const call = new XMLHttpRequest();
      call.open(init.method ?? "GET", input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) call.setRequestHeader(name, value);
      const onAbort = (): void => call.abort();
      signal?.addEventListener("abort", onAbort);
      call.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      });
      call.addEventListener("loadend", () => signal?.removeEventListener("abort", onAbort));
      call.addEventListener("abort", () => reject((signal?.reason ?? new DOMException("The upload was ended.", "AbortError")) as Error));
      call.addEventListener("error", () => {
        lost();
        reject(new TypeError("The server can't be reached."));
      });
      call.addEventListener("load", () => {
        reached();
        resolve(new Response(call.responseText, { status: call.status, statusText: call.statusText, headers: headersOf(call) }));
      });
      const reached = expectServer();
      call.send(init.body as XMLHttpRequestBodyInit);
    });

function headersOf(call: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of call.getAllResponseHeaders().trim().split("\r\n")) {
    const at = line.indexOf(":");
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}
