import express, { type Response } from "express";
import { htmlPage } from "../../html.ts";
import type { Transactions } from "../../transactions.ts";
import type { Webhooks } from "../../webhooks.ts";
import { approveCard, declineCard } from "./payment.ts";

/** Where the pages of 3DS are, below Mercado Pago's address. */
export const CHALLENGES = "/challenges";

/** The bank's page of 3DS, shown in a frame of the shop's page: the buyer confirms the payment there, or refuses it. */
export function challengeRoutes({
  transactions,
  webhooks,
}: {
  transactions: Transactions;
  webhooks: Webhooks;
}): express.Router {
  const router = express.Router();
  router.get("/:id", (request, response) => {
    const found = challenged(request.params.id);
    if (!found) return notFound(response);
    response.type("html").send(found.status === "created" ? questionPage(request.params.id) : DONE);
  });
  for (const answer of ["confirm", "refuse"] as const) {
    router.post(`/:id/${answer}`, (request, response) => {
      const found = challenged(request.params.id);
      if (!found) return notFound(response);
      if (found.status === "created") {
        if (answer === "confirm") approveCard(transactions, found);
        else declineCard(transactions, found, "cc_rejected_3ds_challenge");
        void webhooks.notify(found);
      }
      response.type("html").send(DONE);
    });
  }
  return router;

  function challenged(id: string) {
    return transactions.list().find(({ card }) => card?.challengeUrl?.endsWith(`/${id}`));
  }
}

function notFound(response: Response) {
  response.status(404).type("text/plain").send("Not found");
}

/** `id`: of a known challenge. */
function questionPage(id: string) {
  const button = (answer: string, label: string) =>
    `<form method="post" action="${id}/${answer}"><button type="submit">${label}</button></form>`;
  return htmlPage(
    "Confirme a compra",
    `<h1>Confirme a compra</h1>
<p>O banco do cartão pergunta: foi você que fez esta compra?</p>
${button("confirm", "Confirmar")} ${button("refuse", "Recusar")}`,
  );
}

const DONE = htmlPage(
  "Confirmação encerrada",
  `<p>Pronto. Pode voltar à loja.</p>
<script>parent.postMessage({ status: "COMPLETE" }, "*");</script>`,
);
