import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from "n8n-workflow";

/** The address of a Tessera server, and an API key of it. */
export class TesseraApi implements ICredentialType {
  name = "tesseraApi";

  displayName = "Tessera API";

  icon = { light: "file:../icons/tessera.svg", dark: "file:../icons/tessera.dark.svg" } as const;

  documentationUrl = "https://www.npmjs.com/package/@tessera-board/n8n-nodes-tessera#credentials";

  properties: INodeProperties[] = [
    {
      displayName: "Server URL",
      name: "baseUrl",
      type: "string",
      default: "",
      required: true,
      placeholder: "e.g. https://tessera.example.com",
      description: "The address of your Tessera server, without /api",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "A key made under Settings, API keys. The trigger needs a key that may manage webhooks.",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "X-API-Key": "={{$credentials.apiKey}}" } },
  };

  test: ICredentialTestRequest = {
    request: { baseURL: "={{$credentials.baseUrl.trim().replace(/\\/+$/, '')}}", url: "/api/me" },
  };
}
