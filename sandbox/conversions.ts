import type { Time } from "./time.ts";

/** An event as an advertiser received it. */
export interface Conversion {
  service: "meta" | "ga4" | "tiktok" | "kwai";
  pixel: string;
  event: string;
  /** The deduplication id; empty where the service has none. */
  id: string;
  /** Whether it counted: a duplicate does not, nor does a test where the service marks tests. */
  counted: boolean;
  isTest: boolean;
  at: string;
  /** The event alone, as received. */
  body: unknown;
}

export type Conversions = ReturnType<typeof createConversions>;

const MAX_STORED = 2000;

export function createConversions(time: Time) {
  let received: Conversion[] = [];
  return {
    receive(conversion: Omit<Conversion, "counted" | "at">) {
      const { service, pixel, event, id, isTest } = conversion;
      const isCopy =
        id !== "" &&
        received.some(
          (one) => one.service === service && one.pixel === pixel && one.event === event && one.id === id,
        );
      const counted = !isCopy && !(isTest && service !== "meta");
      received = [...received, { ...conversion, counted, at: new Date(time.now()).toISOString() }].slice(
        -MAX_STORED,
      );
    },
    /** Oldest first. */
    list: (service?: string) => received.filter((one) => service === undefined || one.service === service),
    reset() {
      received = [];
    },
  };
}
