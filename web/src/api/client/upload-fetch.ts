import { trackRequest, markOffline } from "./connection.ts";

/**
 * A `fetch` that reports upload progress as a fraction from 0 to 1, which `fetch` itself cannot. Aborting the signal cancels the upload.
 * It rejects like `fetch`: with a TypeError if the server is unreachable, and with the signal's reason if aborted.
 */
export const createUploadFetch =
  (onProgress: (sent: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      if (signal?.aborted === true) return reject(signal.reason as Error);
      const request = new XMLHttpRequest();
      request.open(init.method ?? "GET", input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      const onAbort = (): void => request.abort();
      signal?.addEventListener("abort", onAbort);
      request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      });
      request.addEventListener("loadend", () => signal?.removeEventListener("abort", onAbort));
      request.addEventListener("abort", () =>
        reject((signal?.reason ?? new DOMException("The upload was cancelled.", "AbortError")) as Error),
      );
      request.addEventListener("error", () => {
        markOffline();
        reject(new TypeError("The server can't be reached."));
      });
      request.addEventListener("load", () => {
        onResponse();
        resolve(
          new Response(request.responseText, { status: request.status, statusText: request.statusText, headers: parseHeaders(request) }),
        );
      });
      const onResponse = trackRequest();
      request.send(init.body as XMLHttpRequestBodyInit);
    });

function parseHeaders(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
    const at = line.indexOf(":");
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
}
