export const GRAPH = "graph.facebook.com";

export const TOKEN = "1234|s3cretToken";

export const settings = { metaToken: TOKEN };

export const head = (title: string, description: string | null, more = ""): string =>
  `<!doctype html><html><head><title>X</title><meta property="og:title" content="${title}">${description === null ? "" : `<meta property="og:description" content="${description}">`}${more}</head><body></body></html>`;

export const error = (code: number): { status: number; body: string } => ({
  status: 400,
  body: JSON.stringify({ error: { message: `(#${code}) access_token=${TOKEN}`, type: "OAuthException", code } }),
});
