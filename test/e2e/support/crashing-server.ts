import { IncomingMessage, Server } from "node:http";
import { Dispatcher } from "undici";

/**
 * The real server, which tells at its end whether it still listens, with a fault in the HTTP client: a request for a path with "poison" throws a moment later, outside of any promise,
 * and one with "rejects" leaves a rejected promise behind; the signal SIGUSR2 throws outside of every link and call. A call with
 * "crash-later" in its address throws from a timer, and one with "crash-body" when its body has arrived. All are what a bug in a library looks like.
 */
export async function run(): Promise<void> {
  const { request } = Dispatcher.prototype;
  Dispatcher.prototype.request = function (this: Dispatcher, ...args: Parameters<typeof request>) {
    const { path } = args[0] as { path: string };
    if (path.includes("poison")) {
      setTimeout(() => {
        throw new Error("an injected fault", { cause: new Error("the cause of the fault") });
      }, 100);
    }
    if (path.includes("rejects")) setTimeout(() => void Promise.reject(new Error("an injected rejection")), 100);
    return Reflect.apply(request, this, args);
  } as typeof request;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, ...args: [string, ...unknown[]]) {
    const [event, request] = args;
    if (event === "request" && request instanceof IncomingMessage) crashOn(request);
    return Reflect.apply(emit, this, args);
  } as typeof emit;
  process.on("SIGUSR2", () => {
    throw new Error("an injected fault beside every link");
  });
  process.on("exit", () => process.stderr.write(`listens at its end: ${process.getActiveResourcesInfo().includes("TCPServerWrap")}\n`));
  const { run: serve } = await import("#main");
  await serve();
}

function crashOn(request: IncomingMessage): void {
  const fail = (): never => {
    throw new Error("an injected fault of a call");
  };
  if (request.url?.includes("crash-later")) setTimeout(fail, 20);
  if (request.url?.includes("crash-body")) request.on("end", fail);
}
