// Runs in Node, Deno and Bun, beside the installed package.
import * as sdk from "@tessera-board/sdk";
import { useSdk } from "./use-sdk.mjs";

console.log(JSON.stringify(await useSdk(sdk, JSON.parse(process.env.SDK_OPTIONS))));
