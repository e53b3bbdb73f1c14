/** Secrets the sandbox and the demo shop use; a production server refuses every one of them. */
export const SANDBOX_SECRETS = {
  APP_SECRET: "segredo-de-demonstracao-nao-use-em-producao",
  OAUTH_CLIENT_ID: "checkintelli-sandbox",
  OAUTH_CLIENT_SECRET: "checkintelli-sandbox-secret",
  RESEND_API_KEY: "re_sandbox-platform",
} as const;
