import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Migrates another database than this file's and puts a shop into it that can be paid, in a process of its own, since
 * this one's `db` is another. @returns the product's slug, `produto-<id>`
 */
export async function openShopAt(databaseUrl: string): Promise<string> {
  const program = `
    const { migrate } = await import("#app/db/migrate.server.ts");
    await migrate();
    const { makeGateway, makeProduct, makeSeller } = await import("#tests/support/make.ts");
    const { pool } = await import("#app/db/client.server.ts");
    const seller = await makeSeller();
    await makeGateway(seller);
    const product = await makeProduct(seller);
    await pool.unsafe("update products set checkout_slug = 'produto-' || id where id = $1", [product.id]);
    console.log("produto-" + product.id);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", DATABASE_URL: databaseUrl } as NodeJS.ProcessEnv,
  });
  try {
    for await (const line of createInterface(child.stdout)) if (line.startsWith("produto-")) return line;
    throw new Error("the shop was not opened");
  } finally {
    // Not by its own `process.exit`: Node now and then waits there for a thread of its own for ever.
    child.kill("SIGKILL");
  }
}
