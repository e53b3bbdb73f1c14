import { createServer } from "node:http";
import { action } from "#app/routes/api/webhooks/payment.ts";

/**
 * The webhook's route on this test file's own public address, in the test's process: there a provider that tests
 * registered is known. Ends with the file.
 */
export async function openWebhookDoor(): Promise<void> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url!, process.env.APP_URL);
    const [, , , provider, hookToken] = url.pathname.split("/");
    const headers = new Headers(incoming.headers as Record<string, string>);
    const request = new Request(url, { method: "POST", headers, body: Buffer.concat(chunks) });
    const answer = await action({ request, params: { provider, hookToken }, context: {} });
    outgoing.writeHead(answer.status).end(await answer.text());
  }).unref();
  await new Promise<void>((resolve) => server.listen(Number(new URL(process.env.APP_URL!).port), resolve));
}
