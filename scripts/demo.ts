import { execFile } from "node:child_process";
import { promisify } from "node:util";
import postgres from "postgres";

/**
 * Fills an empty database with the demo shop; where it is there, its pictures and files follow the app's address,
 * which another `PORT` changes.
 */
export async function prepareDemo(
  databaseUrl: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [row] = await client<{ empty: boolean }[]>`select not exists (select from sellers) as empty`;
    if (row!.empty) {
      console.log("Criando a loja de demonstração…");
      // In a process of its own: it uses the app's modules, which keep connections open.
      await promisify(execFile)(process.execPath, ["scripts/seed.ts"], { env: env as NodeJS.ProcessEnv });
      return;
    }
    const old = "^http://localhost:[0-9]+/demo/";
    const now = `${env.APP_URL}/demo/`;
    for (const table of ["products", "order_bumps", "upsell_offers"]) {
      await client`update ${client(table)} set
        image_url = regexp_replace(image_url, ${old}, ${now}), file_url = regexp_replace(file_url, ${old}, ${now})
        where (image_url ~ ${old} and not starts_with(image_url, ${now}))
        or (file_url ~ ${old} and not starts_with(file_url, ${now}))`;
    }
    await client`update products set banner_image_url = regexp_replace(banner_image_url, ${old}, ${now})
      where banner_image_url ~ ${old} and not starts_with(banner_image_url, ${now})`;
    await client`update sale_lines set file_url = regexp_replace(file_url, ${old}, ${now})
      where file_url ~ ${old} and not starts_with(file_url, ${now})`;
  } finally {
    await client.end();
  }
}
