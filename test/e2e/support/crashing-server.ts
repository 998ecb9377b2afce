import { IncomingMessage, Server } from "node:http";
import { Dispatcher } from "undici";

/**
 * Runs the real server with injected faults, as a bug in a library would cause them. A link with "poison" in its path throws later from a
 * timer, and one with "rejects" leaves a rejected promise. The signal SIGUSR2 throws outside of every link and request. A request with
 * "crash-later" in its URL throws from a timer, one with "crash-body" when its body has arrived. At exit the server prints whether it listens.
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
