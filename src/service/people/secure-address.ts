const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether browsers accept a `Secure` cookie from this server: it uses https, or listens on a loopback address. */
export function isSecureAddress(baseUrl: string, host: string): boolean {
  const address = URL.parse(baseUrl === "" ? `http://${host.includes(":") ? `[${host}]` : host}` : baseUrl);
  return address !== null && (address.protocol === "https:" || LOOPBACK.test(address.hostname));
}
