import { expect, onTestFinished, test, vi } from "vitest";
import { STOP_TIMEOUT } from "#app/platform/stop-timeout.ts";
import type { Program } from "#scripts/program.ts";
import { endPatiently } from "#scripts/supervise.ts";

test("a program that is asked to stop has as long as it may take, and is killed if it does not", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gone = Promise.withResolvers<null>();
  const kill = vi.fn(async () => gone.resolve(null));
  const ended = endPatiently({ kill, stop: () => gone.promise } as Partial<Program> as Program);
  await vi.advanceTimersByTimeAsync(STOP_TIMEOUT);
  expect(kill).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  await ended;
  expect(kill).toHaveBeenCalledOnce();
});
