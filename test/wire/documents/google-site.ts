import { openWire, type Source } from "../support/wire.ts";

export const ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
export const DOC = `https://docs.google.com/document/d/${ID}/edit?usp=sharing`;
export const LOGIN = "https://accounts.google.com/v3/signin/identifier?continue=https%3A%2F%2Fdocs.google.com";

export const open = (docs: Source, drive: Source = () => undefined) =>
  openWire({
    "docs.google.com": docs,
    "drive.google.com": drive,
    "accounts.google.com": () => "<!doctype html><title>Google Docs: Sign-in</title><form></form>",
    "drive.usercontent.google.com": () => "The words of a large file.",
  });

export const named = (body: string, name: string): ReturnType<Source> => ({
  body,
  headers: {
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": `attachment; filename="x.txt"; filename*=UTF-8''${encodeURIComponent(name)}`,
  },
});

export const ARTICLE_TEXT =
  "The lens of a lighthouse bends the light of a small lamp into a flat beam that is seen for twenty miles at sea. ".repeat(8);
