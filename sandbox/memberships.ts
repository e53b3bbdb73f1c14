import type { Time } from "./time.ts";

/** What one e-mail has access to at a member area, as that area stores it. */
export interface Membership {
  service: "cademi" | "memberkit";
  /** Cademí's area; empty at MemberKit. */
  area: string;
  email: string;
  name: string;
  /** Cademí: our product code; MemberKit: the class. */
  item: string;
  isOpen: boolean;
  /** How many deliveries arrived for it, duplicates included. */
  told: number;
  at: string;
  /** The last body received, without the key. */
  body: unknown;
}

export type Memberships = ReturnType<typeof createMemberships>;

const MAX_STORED = 5000;

export function createMemberships(time: Time) {
  let all: Membership[] = [];
  return {
    /** The same e-mail and item again is the same membership, with its newest state. */
    receive(one: Omit<Membership, "told" | "at">) {
      const isSame = (other: Membership) =>
        other.service === one.service &&
        other.area === one.area &&
        other.email === one.email &&
        other.item === one.item;
      const notifiedCount = (all.find(isSame)?.told ?? 0) + 1;
      const at = new Date(time.now()).toISOString();
      all = [...all.filter((other) => !isSame(other)), { ...one, told: notifiedCount, at }].slice(
        -MAX_STORED,
      );
    },
    /** In the order of their last delivery. */
    list: (email?: string) => all.filter((one) => email === undefined || one.email === email),
    reset() {
      all = [];
    },
  };
}
