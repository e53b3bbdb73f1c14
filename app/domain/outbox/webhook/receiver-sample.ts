/** A whole receiver, as it is shown to who writes one. A test runs it. */
export const RECEIVER_SAMPLE = `import { createServer } from "node:http";
import { env } from "node:process";
import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const webhook = new Webhook(env.WEBHOOK_SECRET); // whsec_...
const seen = new Set(); // em produção: uma tabela com chave única

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8"); // o corpo como veio
  try {
    const event = webhook.verify(body, request.headers);
    const id = request.headers["webhook-id"];
    if (!seen.has(id)) {
      seen.add(id);
      console.log(event.type, event.data.sale.id);
    }
    response.writeHead(204).end(); // responda logo; o trabalho vem depois
  } catch {
    response.writeHead(401).end();
  }
}).listen(env.PORT);
`;
