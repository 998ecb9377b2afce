import { type Asked, openWire, sample } from "../../support/wire.ts";

export const LINK = "https://youtu.be/fakeVid0001?si=share";

export const player = (change: (answer: Record<string, unknown>) => void = () => {}): string => {
  const answer = JSON.parse(sample("youtube/youtube.player.json")) as Record<string, unknown>;
  change(answer);
  return JSON.stringify(answer);
};

export const unplayable = (status: string, reason: string): string => JSON.stringify({ playabilityStatus: { status, reason } });

/** YouTube with valid responses; each of them can be replaced. */
export const youtube =
  (
    more: Partial<
      Record<"player" | "timedtext" | "watch" | "oembed", (asked: Asked) => ReturnType<Parameters<typeof openWire>[0][string]>>
    >,
  ) =>
  (asked: Asked) => {
    if (asked.path === "/youtubei/v1/player") return (more.player ?? (() => player()))(asked);
    if (asked.path === "/api/timedtext") return (more.timedtext ?? (() => sample("youtube/youtube.timedtext.json3.json")))(asked);
    if (asked.path === "/watch") return (more.watch ?? (() => sample("youtube/youtube.watch.html")))(asked);
    if (asked.path === "/oembed") return (more.oembed ?? (() => sample("youtube/youtube.oembed.json")))(asked);
    return undefined;
  };

export const open = (more: Parameters<typeof youtube>[0] = {}) => openWire({ "www.youtube.com": youtube(more) });
