/** The address of a call. */
const urlOf = (bundle, path) => `${bundle.authData.serverUrl.trim().replace(/\/+$/, "")}${path}`;

/**
 * Sends a call and returns its JSON body. Empty fields are left out, as Zapier has them for inputs that nobody mapped. What may be missing
 * is null then.
 */
async function call(z, bundle, method, path, { params = {}, body, mayBeMissing = false } = {}) {
  const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));
  const { status, data } = await z.request({
    skipThrowForStatus: mayBeMissing,
    method,
    url: urlOf(bundle, path),
    params: given(params),
    ...(body !== undefined && { body: given(body) }),
  });
  return status === 404 ? null : data;
}

/** Middleware: every call has the key. */
function addKey(request, z, { authData = {} }) {
  request.headers["X-API-Key"] = authData.apiKey;
  return request;
}

/** Middleware: makes the server's sentence the error that Zapier shows, and lets it wait where waiting helps. */
function throwForError(response, z) {
  if (response.status < 400 || (response.status === 404 && response.skipThrowForStatus)) return response;
  const message = (response.data && response.data.error) || `The server answered ${response.status}. Is the address that of Tessera?`;
  // Zapier asks people to connect their account again.
  if (response.status === 401) throw new z.errors.ExpiredAuthError(message);
  if (response.status === 429 || response.status === 503)
    throw new z.errors.ThrottledError(message, Number(response.getHeader("retry-after")) || 60);
  throw new z.errors.Error(message, response.getHeader("x-error-code") || "error", response.status);
}

module.exports = { addKey, call, throwForError };
