// A module worker: Cloudflare's runtime, without any of Node's modules.
import * as sdk from "./sdk/index.js";
import { useSdk } from "./use-sdk.mjs";

// oxlint-disable-next-line import/no-default-export -- the runtime reads the default export
export default {
  async fetch(request) {
    return Response.json(await useSdk(sdk, await request.json()));
  },
};
