// Opens a page in a headless browser and tells what it did: `node look.mjs STORY`. The story is
// a JSON file that names the browser, the page, the pictures to take and where the report goes.

import fs from 'node:fs';

import { chromium } from '../vscode/node_modules/playwright-core/index.mjs';

const story = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const report = { requests: [], dialogs: [], errors: [], navigations: [], shots: [] };
const browser = await chromium.launch({ executablePath: story.browser, args: ['--disable-gpu'] });

/** What a person would find, asked of the page by the driver: the page itself runs nothing. */
function examine() {
	const all = [...document.querySelectorAll('*')];
	const scroller = document.scrollingElement;
	return {
		ran: window.ran ?? null,
		tags: [...new Set(all.map((node) => node.localName))].sort(),
		handlers: all.flatMap((node) => node.getAttributeNames()).filter((name) => /^on|^style$|^srcdoc$/i.test(name)),
		targets: all.flatMap((node) => ['href', 'src'].map((name) => node.getAttribute(name)).filter(Boolean)).map((value) => value.slice(0, 200)),
		overflow: scroller.scrollWidth - scroller.clientWidth,
		colour: getComputedStyle(document.body).backgroundColor,
		broken: [...document.images].filter((image) => image.complete && !image.naturalWidth).map((image) => image.alt),
		pictures: document.images.length,
		articles: document.querySelectorAll('article').length,
		// What is not laid out has no visible content, although it is there.
		laidOut: [...document.querySelectorAll('article > .content > p')].filter((node) => node.checkVisibility({ contentVisibilityAuto: true })).length,
		headings: [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((node) => Number(node.localName[1])),
		open: document.querySelectorAll('details[open]').length,
		text: document.body.innerText,
	};
}

try {
	for (const shot of story.shots) {
		const context = await browser.newContext({ viewport: { width: shot.width, height: shot.height }, colorScheme: shot.scheme });
		const page = await context.newPage();
		const own = `file://${story.page}`;
		await context.route('**/*', (route) => {
			const address = route.request().url();
			if (address === own) return route.continue();
			if (!address.startsWith('data:')) report.requests.push(address);
			return address.startsWith('data:') ? route.continue() : route.abort();
		});
		page.on('dialog', (dialog) => { report.dialogs.push(dialog.message()); return dialog.dismiss(); });
		page.on('pageerror', (error) => report.errors.push(String(error)));
		page.on('console', (line) => { if (line.type() === 'error') report.errors.push(line.text()); });
		page.on('framenavigated', (frame) => { if (frame.url().split('#')[0] !== own) report.navigations.push(frame.url()); });
		context.on('page', (other) => { if (other !== page) report.navigations.push(other.url()); });
		await page.goto(own, { waitUntil: 'load' });
		if (shot.media) await page.emulateMedia({ media: shot.media });
		if (shot.media !== 'print') for (const summary of await page.locator('summary').all()) await summary.click();
		// Whatever hides behind a link that looks like one of the page's own.
		if (shot.links !== false) for (const link of await page.locator('a[href^="#"]').all()) await link.click({ force: true });
		await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
		report.shots.push({ ...(await page.evaluate(examine)), scheme: shot.scheme });
		if (shot.picture) {
			if (shot.fold) await page.reload();
			if (shot.open) await page.locator('summary', { hasText: shot.open }).click();
			await page.evaluate(() => scrollTo(0, 0));
			await page.screenshot({ path: shot.picture, fullPage: shot.full ?? false });
		}
		await context.close();
	}
} finally {
	await browser.close();
	fs.writeFileSync(story.report, JSON.stringify(report));
}
