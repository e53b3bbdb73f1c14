import { expect, test } from "vitest";
import { wordsOf } from "#app/domain/outbox/news-words.server.ts";

const refused = (why: string, responseStatus: number, responseBody: string) =>
  wordsOf({ status: "refused", why, responseStatus, responseBody }).text;

test("what a pixel's service or a webhook's address answered is a detail behind our words", () => {
  expect(refused("rejected", 200, '{"error":{"message":"Invalid parameter: pixel"}}')).toBe(
    "Recusado pelo serviço. Resposta do serviço: “Invalid parameter: pixel”",
  );
  expect(refused("status", 422, '{"message":"Unknown product."}')).toBe(
    "O endereço respondeu HTTP 422. Resposta do serviço: “Unknown product.”",
  );
});

test("an answer without words of its own adds none", () => {
  expect(refused("rejected", 200, "{}")).toBe("Recusado pelo serviço.");
  expect(refused("status", 500, "<html>")).toBe("O endereço respondeu HTTP 500.");
  expect(refused("gone", 410, '{"message":"Gone"}')).toBe(
    "O endereço respondeu que não quer mais avisos (410): foi pausado.",
  );
});
