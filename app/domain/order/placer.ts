/** Whose browser sends an order. */
export type Placer = {
  /** Whom limits count: an IPv4 address, or an IPv6 line's /64. */
  client: string;
  /** What the browser calls itself (User-Agent); empty where it does not say. */
  browser: string;
  /** Sales that were placed in this browser before, as its sealed cookie says. */
  placed: string[];
  /**
   * What the page's script calls this browser: random, and known to it alone. It stays the same where the network does
   * not, as on a train; empty where no script runs.
   */
  ownName?: string;
};
