/**
 * oidc-provider's adapter over one Map per server, so that a reset clears sessions and codes too. Nothing here expires by
 * itself: the provider checks the times in what it reads.
 */
export function createIdentityStorage() {
  const records = new Map<string, { payload: Record<string, unknown>; grantId?: string }>();

  class Adapter {
    readonly model: string;
    constructor(model: string) {
      this.model = model;
    }
    async upsert(id: string, payload: Record<string, unknown>) {
      records.set(`${this.model}:${id}`, { payload, grantId: payload.grantId as string | undefined });
    }
    async find(id: string) {
      return records.get(`${this.model}:${id}`)?.payload;
    }
    async findByUid(uid: string) {
      return [...records].find(
        ([key, { payload }]) => key.startsWith(`${this.model}:`) && payload.uid === uid,
      )?.[1].payload;
    }
    async findByUserCode() {
      return undefined;
    }
    async consume(id: string) {
      const record = records.get(`${this.model}:${id}`);
      if (record) record.payload.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string) {
      records.delete(`${this.model}:${id}`);
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, record] of records) if (record.grantId === grantId) records.delete(key);
    }
  }

  return { Adapter, clear: () => records.clear() };
}
