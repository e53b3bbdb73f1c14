/** Who sends an order. */
export type BuyerContext = {
  /** The unit of rate limits: an IPv4 address, or an IPv6 /64. */
  client: string;
  /** `User-Agent`; empty where it is not sent. */
  userAgent: string;
  /** Sales placed earlier in this browser, from its sealed cookie. */
  placedSaleIds: string[];
  /**
   * A random id that the page's script generates for this browser. It survives a change of network, as on a train;
   * empty where no script runs.
   */
  browserId?: string;
};
