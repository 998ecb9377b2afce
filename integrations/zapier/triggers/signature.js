const { createHmac, timingSafeEqual } = require("node:crypto");

const TOLERANCE_SECONDS = 300;

/** The value of a header. Zapier writes names with a prefix, such as Http-Webhook-Id. */
function getHeader(headers, name) {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase().replace(/^http-/, "") === name);
  return found === undefined ? "" : String(found[1]);
}

/** Returns the id of an event whose signature (Standard Webhooks) matches its raw body. Throws a sentence if it does not. */
function verifyEvent({ headers = {}, content = "" }, secret, nowSeconds = Date.now() / 1000) {
  const id = getHeader(headers, "webhook-id");
  const timestamp = getHeader(headers, "webhook-timestamp");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${content}`).digest();
  const isSigned = getHeader(headers, "webhook-signature")
    .split(" ")
    .some((signature) => {
      const received = Buffer.from(signature.replace(/^v1,/, ""), "base64");
      return received.length === expected.length && timingSafeEqual(received, expected);
    });
  if (!isSigned) throw new Error("The signature of the event does not match.");
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS)) throw new Error("The event is too old.");
  return id;
}

module.exports = { verifyEvent };
