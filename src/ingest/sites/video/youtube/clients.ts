/** A client as which the player API is called; responses differ by client. Names, numbers and versions are those of the apps. */
export type Client = {
  readonly name: string;
  /** The client's number in `X-YouTube-Client-Name`. */
  readonly number: number;
  readonly clientVersion: string;
  readonly deviceMake?: string;
  readonly deviceModel?: string;
  readonly osName?: string;
  readonly osVersion?: string;
  readonly androidSdkVersion?: number;
};

export const CLIENTS: readonly Client[] = [
  {
    name: "VISIONOS",
    number: 101,
    clientVersion: "1.02",
    deviceMake: "Apple",
    deviceModel: "RealityDevice17,1",
    osName: "visionOS",
    osVersion: "26.5.23O471",
  },
  {
    name: "IOS",
    number: 5,
    clientVersion: "20.11.6",
    deviceMake: "Apple",
    deviceModel: "iPhone10,4",
    osName: "iOS",
    osVersion: "16.7.7.20H330",
  },
  { name: "ANDROID", number: 3, clientVersion: "21.03.36", osName: "Android", osVersion: "16", androidSdkVersion: 36 },
  {
    name: "ANDROID_VR",
    number: 28,
    clientVersion: "1.65.10",
    deviceMake: "Oculus",
    deviceModel: "Quest 3",
    osName: "Android",
    osVersion: "12L",
    androidSdkVersion: 32,
  },
  { name: "TVHTML5", number: 7, clientVersion: "7.20260311.12.00" },
  { name: "MWEB", number: 2, clientVersion: "2.20260205.04.01" },
  { name: "WEB", number: 1, clientVersion: "2.20260623.01.00" },
];

/** The client for lists, since its responses have the format that pages embed. */
export const WEB_CLIENT = CLIENTS.at(-1) as Client;
