import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PaymentWatch } from "#app/enhance/payment-watch.ts";

const PAGE = "http://localhost:3000/checkout/card/1";
const replace = vi.fn();

beforeEach(() => {
  vi.stubGlobal("HTMLElement", class {});
  vi.stubGlobal("location", { href: PAGE, replace, assign: vi.fn() });
});

afterEach(() => {
  vi.unstubAllGlobals();
  replace.mockReset();
});

/** A page that waits for a payment; it navigates as soon as it decides to. */
async function watching(dataset: Record<string, string>): Promise<PaymentWatch> {
  const { PaymentWatch } = await import("#app/enhance/payment-watch.ts");
  return Object.assign(Object.create(PaymentWatch.prototype) as PaymentWatch, {
    dataset: { failed: "/checkout/pix/1", paid: "/thank-you/1", ...dataset },
    done: false,
    querySelectorAll: () => [],
    leave: (navigate: () => void) => navigate(),
  });
}

test.each(["announced", "verifying", "in-review", "challenged", "over"])(
  "a page that shows %s is loaded anew when the payment fails, as it shows no failure itself",
  async (standing) => {
    const watch = await watching({ standing, late: "" });
    watch.applySummary("failed");
    watch.applyStatus("failed");
    expect(replace.mock.calls).toEqual([[PAGE]]);
  },
);

test.each([
  [true, []],
  [false, [["[data-last]", "Esta página não verifica mais sozinha. Já pagou?"]]],
])(
  "after its last check a page says that the buyer has to ask, unless events reach it (%s)",
  async (isNotified, texts) => {
    vi.useFakeTimers();
    vi.stubGlobal("EventSource", { CLOSED: 2 });
    const [checkAgain, setText] = [vi.fn(), vi.fn()];
    const state = {
      isConnected: true,
      checks: 30,
      stream: { readyState: 1 },
      isNotified,
      checkAgain,
      setText,
    };
    const watch = Object.defineProperties(
      await watching({}),
      Object.getOwnPropertyDescriptors(state),
    ) as PaymentWatch;
    watch.schedule(0);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(setText.mock.calls).toEqual(texts);
    expect(checkAgain).not.toHaveBeenCalled();
  },
);

test("a page that shows the failure already stays", async () => {
  const watch = await watching({ standing: "failed", late: "" });
  watch.applySummary("failed");
  watch.applyStatus("failed");
  expect(replace).not.toHaveBeenCalled();
});

test("a page with a code shows the failure in its banner, and goes where it can be paid again", async () => {
  const watch = await watching({ standing: "payable" });
  watch.applySummary("failed");
  watch.applyStatus("failed");
  expect(replace.mock.calls).toEqual([["/checkout/pix/1"]]);
});
