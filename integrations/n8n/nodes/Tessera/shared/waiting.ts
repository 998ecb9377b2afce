import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { callServer } from "./request.ts";

/** How long the server holds one call. Proxies in front of it often end longer ones. */
const MAX_WAIT_SECONDS = 25;

type Waiting = {
  readonly path: string;
  /** The field of the response that holds the resource. */
  readonly field: string;
  readonly seconds: number;
  readonly itemIndex: number;
};

/** Returns a tile or generation when it is no longer processing, or as it is after this many seconds. */
export async function waitWhileProcessing(context: IExecuteFunctions, { path, field, seconds, itemIndex }: Waiting): Promise<IDataObject> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    const wait = Math.min(MAX_WAIT_SECONDS, left);
    const body = await callServer<IDataObject>(context, { path, query: { wait: wait === 0 ? undefined : wait }, itemIndex });
    const resource = body[field] as IDataObject;
    if (resource["status"] !== "processing" || left === 0) return resource;
  }
}
