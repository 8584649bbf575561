// The camera of the screenshots: headless Chromium that writes to docs/screenshots. Names after the script's own take only those pictures.
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const out = new URL("../../docs/screenshots/", import.meta.url).pathname;
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const over = "[data-testid=turn]:not([data-state=live])";

/** `shots(suffix, options, take)` opens a page and hands `take` what it needs; `close` ends the browser. Addresses without a host are those of `base`. */
export async function camera(base) {
  if (!base) throw new Error("VANTAGE_URL names the server to be photographed");
  mkdirSync(out, { recursive: true });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  const wanted = process.argv.slice(2);
  const shots = async (suffix, options, take) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    const save = async (name, wait = 500) => {
      await page.mouse.move(4, 430);
      await page.waitForTimeout(wait);
      if (wanted.length === 0 || wanted.includes(name + suffix)) await page.screenshot({ path: `${out}${name}${suffix}.png` });
    };
    const ask = async (url, question, selector = over) => {
      await page.goto(`${url}/app`);
      await page.getByLabel("Your question").fill(question);
      await page.keyboard.press("Enter");
      await page.locator(selector).last().waitFor({ timeout: 60_000 });
      await page.waitForTimeout(300);
    };
    const go = async (address, selector) => {
      await page.goto(address.startsWith("http") ? address : base + address);
      await page.locator(selector).first().waitFor({ timeout: 30_000 });
    };
    await take({ page, save, ask, go });
    await context.close();
  };
  const close = async () => {
    await browser.close();
    console.log(`written to ${out}`);
  };
  return { shots, close };
}

export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1.5 };

/** Suffix and options of pages that are taller than a screen: light and dark, on a desk and on a phone. */
const tall = { viewport: { width: 1440, height: 1120 } };
export const tallSizes = [
  ["", tall],
  ["-dark", { ...tall, colorScheme: "dark" }],
  ["-phone", phone],
  ["-phone-dark", { ...phone, colorScheme: "dark" }],
];
