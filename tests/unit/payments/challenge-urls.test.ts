import { expect, test } from "vitest";
import {
  CHALLENGE_FRAME_SOURCES,
  recallChallenge,
  rememberChallenge,
} from "#app/domain/charge/challenge-urls.server.ts";
import { env } from "#app/platform/env.server.ts";

test("a bank's page is framed by https, or from the sandbox where that stands in, and from nowhere else", () => {
  const allowed = ["https://banco.example/3ds", ...(env.sandboxUrl ? [`${env.sandboxUrl}/3ds`] : [])];
  for (const url of allowed) {
    rememberChallenge("a", url);
    expect(recallChallenge("a")).toBe(url);
  }
  for (const url of ["http://banco.example", "javascript:alert(1)", "data:text/html,x"]) {
    rememberChallenge("a", url);
    expect(recallChallenge("a"), url).toBeNull();
  }
  expect(CHALLENGE_FRAME_SOURCES).toEqual(["https:", ...(env.sandboxUrl ? [env.sandboxUrl] : [])]);
});

test("what ended is forgotten, and the oldest of very many", () => {
  rememberChallenge("first", "https://banco.example/1");
  rememberChallenge("ended", "https://banco.example/2");
  rememberChallenge("ended", null);
  expect(recallChallenge("ended")).toBeNull();
  expect(recallChallenge("first")).toBe("https://banco.example/1");
  for (let at = 0; at < 2_000; at++) rememberChallenge(`${at}`, `https://banco.example/${at}`);
  expect(recallChallenge("first")).toBeNull();
  expect(recallChallenge("0")).toBe("https://banco.example/0");
  expect(recallChallenge("1999")).toBe("https://banco.example/1999");
});
