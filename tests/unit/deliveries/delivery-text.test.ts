import { expect, test } from "vitest";
import { deliveryText } from "#app/domain/delivery/delivery-text.server.ts";

const refused = (reason: string, responseStatus: number, responseBody: string) =>
  deliveryText({ status: "refused", reason: reason, responseStatus, responseBody }).text;

test("the answer of a pixel's service or a webhook's address is a detail after our text", () => {
  expect(refused("rejected", 200, '{"error":{"message":"Invalid parameter: pixel"}}')).toBe(
    "Recusado pelo serviço. Resposta do serviço: “Invalid parameter: pixel”",
  );
  expect(refused("status", 422, '{"message":"Unknown product."}')).toBe(
    "O endereço respondeu HTTP 422. Resposta do serviço: “Unknown product.”",
  );
});

test("an answer without its own text adds none", () => {
  expect(refused("rejected", 200, "{}")).toBe("Recusado pelo serviço.");
  expect(refused("status", 500, "<html>")).toBe("O endereço respondeu HTTP 500.");
  expect(refused("unclear", 200, "<html>")).toBe("O serviço respondeu algo que não diz se aceitou.");
  expect(refused("unclear", 403, "<html>")).toBe(
    "A resposta (HTTP 403) não parece ser do serviço. Se continuar, confira a configuração.",
  );
  expect(refused("gone", 410, '{"message":"Gone"}')).toBe(
    "O endereço respondeu que não quer mais avisos (410): foi pausado.",
  );
});
