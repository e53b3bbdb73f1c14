import { request } from "node:http";
import { expect, test } from "vitest";
import { cachePage, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";

const page = cachePage({ html: "x".repeat(5000), policy: "default-src 'none'" }, "private");
const loader = async ({ request: asked }: { request: Request }) => sendCachedPage(page, asked);
const { port } = await servePipeline({ loader } as unknown as RouteModule);

function codingFor(accepted: string): Promise<string | undefined> {
  return new Promise((answered, failed) =>
    request({ port, path: "/own", headers: { "Accept-Encoding": accepted } }, (answer) => {
      answer.resume();
      answered(answer.headers["content-encoding"]);
    })
      .on("error", failed)
      .end(),
  );
}

test.each(["gzip", "br, GZIP;q=0.5", "gzip ; q=1.0"])(
  "a page is sent compressed to who accepts %s",
  async (accepted) => {
    expect(await codingFor(accepted)).toBe("gzip");
  },
);

test.each(["gzip;q=0, identity", "identity, gzip; q=0.000", "x-nogzip", "identity"])(
  "a page is sent as it is to who accepts %s",
  async (accepted) => {
    expect(await codingFor(accepted)).toBeUndefined();
  },
);
