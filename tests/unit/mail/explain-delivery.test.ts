import { expect, test } from "vitest";
import { describeTestMailAccount } from "#app/domain/mail/sending/describe-test-mail-account.ts";
import { explainMailError } from "#app/domain/mail/sending/explain-mail-error.ts";

test.each([
  [
    "550: 5.1.1 user unknown",
    "O endereço não existe ou não recebe e-mails. Resposta do serviço: “550 5.1.1 user unknown”",
  ],
  ["452: mailbox full", "A caixa de quem recebe está cheia. Resposta do serviço: “452 mailbox full”"],
  ["552: too full", "A caixa de quem recebe está cheia. Resposta do serviço: “552 too full”"],
  ["551: moved", "O endereço não existe ou não recebe e-mails. Resposta do serviço: “551 moved”"],
  ["553: no name", "O endereço não existe ou não recebe e-mails. Resposta do serviço: “553 no name”"],
  ["554: spam", "O servidor de e-mail recusou a mensagem. Resposta do serviço: “554 spam”"],
  ["554", "O servidor de e-mail recusou a mensagem. Resposta do serviço: “554”"],
  ["o Resend não conseguiu enviar", "O Resend não conseguiu enviar."],
  [
    "a conta da plataforma recusou: 401 invalid_api_key: API key is invalid",
    "A plataforma não está conseguindo enviar e-mails.",
  ],
  [
    "421: try later",
    "O servidor de e-mail pediu para tentar mais tarde. Resposta do serviço: “421 try later”",
  ],
  [
    "sem resposta: connect ECONNREFUSED",
    "O servidor de e-mail não respondeu. Resposta do serviço: “sem resposta connect ECONNREFUSED”",
  ],
  [
    "403 validation_error: The exemplo.com.br domain is not verified. Please, add and verify your domain",
    "O domínio exemplo.com.br ainda não foi verificado no Resend. Verifique o domínio e tente de novo.",
  ],
  [
    "422 something_new: Strange words",
    "O Resend não aceitou o pedido. Resposta do serviço: “422 something_new: Strange words”",
  ],
  [
    "saiu pela plataforma; a sua conta do Resend recusou: 401 invalid_api_key: API key is invalid",
    "Saiu pela plataforma, porque a sua conta do Resend recusou. O Resend não reconheceu a chave API. Confira se ela foi copiada inteira e se não foi apagada no painel.",
  ],
  [
    "devolvido pelo servidor de quem recebe: mailbox does not exist",
    "Devolvido pelo servidor de quem recebe. Resposta do serviço: “mailbox does not exist”",
  ],
  [
    "O envio foi interrompido: o e-mail pode não ter chegado.",
    "O envio foi interrompido: o e-mail pode não ter chegado.",
  ],
])("%s is explained to the seller", (error, reported) => {
  expect(explainMailError(error)).toBe(reported);
});

test("a test mail says which account sent it", () => {
  expect(describeTestMailAccount("seller")).toBe("Pela sua conta do Resend.");
  expect(describeTestMailAccount("platform")).toMatch(/^Pelo remetente da plataforma/);
});
