import { expect, it } from "vitest";
import { body, clean, sentence } from "./page-samples.ts";

const post = (author: string, time: string, text: string, inside = ""): string =>
  `<div class="comment post" id="p${author.length}${time.length}"><aside><a class="username" href="/users/${author}">${author}</a> <span>Joined: Jan 2, 2001</span><span>Lamps: 4</span></aside>
   <div class="head">by <a href="/users/${author}">${author}</a>, ${time}</div>
   <div class="text"><p>${text}</p></div><div class="signature">Keep the flame, always and everywhere, says ${author}.</div><ul class="buttons"><li><a href="#">Reply</a></li></ul>${inside}</div>`;
const time = (day: string): string => `<time datetime="${day}T10:00:00Z">2 years ago</time>`;
const page = (inside: string, head = ""): string =>
  `<html><head><title>Oil</title>${head}</head><body><nav><a href="/">Home</a></nav><h1>Oil</h1><form>${inside}</form><footer>Imprint</footer></body></html>`;

const question = "Which oil does the lens need, and how often is it filled?";
const answer = "Whale oil since 1887, filled before each night of the winter.";
const thanks = "Thank you both, the lamp burns again as brightly as it did.";

it("a thread keeps author and time of each post in order, without figures of the author, signatures and buttons", () => {
  const posts = [
    post("ada", time("2024-03-01"), question),
    post("ben", time("2024-03-02"), answer),
    post("ada", time("2024-03-04"), thanks),
  ];
  expect(clean(page(posts.join(""))).text).toBe(
    `ada · 2024-03-01\n\n${question}\n\nben · 2024-03-02\n\n${answer}\n\nada · 2024-03-04\n\n${thanks}`,
  );
});

it("a thread keeps times as the page writes them, and replies inside the post that they answer", () => {
  const reply = post("cyd", "<span>March 3, 2024</span>", thanks);
  const posts =
    post("ada", "<span>March 1, 2024</span>", question) + post("ben", "<span>March 2, 2024</span>", answer, `<div>${reply}</div>`);
  expect(clean(page(posts)).text).toBe(
    `ada · March 1, 2024\n\n${question}\n\nben · March 2, 2024\n\n${answer}\n\ncyd · March 3, 2024\n\n${thanks}`,
  );
});

it("a post is its author's, with the time closest to them, though others edited it", () => {
  const write = (name: string, day: string, text: string): string =>
    `<div class="answer"><div class="body"><p>${text}</p></div><div class="info">edited <span class="date">May 3, 2024</span> <a class="user" href="/users/1">mod</a></div>
     <div class="info">answered <span class="date">${day}</span><div class="details" itemprop="author"><a href="/users/${name}">${name}</a> <h5>Senior member</h5><b>2,255</b></div></div></div>`;
  const posts = [write("ada", "May 1, 2024", question), write("ben", "May 2, 2024", answer), write("cyd", "May 3, 2024", thanks)];
  expect(clean(page(posts.join(""))).text).toBe(
    `ada · May 1, 2024\n\n${question}\n\nben · May 2, 2024\n\n${answer}\n\ncyd · May 3, 2024\n\n${thanks}`,
  );
});

it("a thread keeps the code of its posts, whatever its lines are", () => {
  const code = "<pre><div>Sign in</div><div>{}</div></pre>";
  const posts = post("ada", time("2024-03-01"), question) + post("ben", time("2024-03-02"), `${answer}</p>${code}<p>`);
  expect(clean(page(posts)).text).toBe(`ada · 2024-03-01\n\n${question}\n\nben · 2024-03-02\n\n${answer}\n\n\`\`\`\nSign in\n{}\n\`\`\``);
});

it("a thread has long quotes of its own posts once, and short ones where they are answered", () => {
  const long = `${question} ${sentence.repeat(2)}`;
  const posts =
    post("ada", time("2024-03-01"), long) +
    post("ben", time("2024-03-02"), `</p><blockquote>${long}</blockquote><blockquote>how often</blockquote><p>${answer}`);
  expect(clean(page(posts)).text).toBe(`ada · 2024-03-01\n\n${long.trim()}\n\nben · 2024-03-02\n\n> how often\n\n${answer}`);
});

it("comments after an article are not a thread, and neither are teasers", () => {
  const comments = post("ada", time("2024-03-01"), question) + post("ben", time("2024-03-02"), answer);
  const { text } = clean(`<html><body><article><h1>Lens</h1>${body}</article><section>${comments}</section></body></html>`);
  expect(text).toContain(sentence.trim());
  expect(text).not.toContain("Whale oil");
  const linked = '<script type="application/ld+json">{"@type":"NewsArticle"}</script>';
  expect(clean(page(comments.repeat(4), linked)).text).not.toContain("ada · 2024-03-01");
  const teaser = (day: string): string =>
    `<div class="card"><h3><a href="/lens">A lens that nobody has filled for years</a></h3><a class="author" href="/users/ada">ada</a> ${time(day)}<p>${answer}</p></div>`;
  expect(clean(page([teaser("2024-03-01"), teaser("2024-03-02"), teaser("2024-03-03")].join(""))).text).not.toContain("ada · ");
});

it("parts of a page whose authors are named by different kinds of elements are no posts", () => {
  const aside = `<div class="box"><p class="author">ben</p><i class="posted">March 2, 2024</i><p>${answer}</p></div>`;
  const { text } = clean(
    page(`<div class="box"><a class="user" href="/users/ada">ada</a> <b class="date">March 1, 2024</b>${body}</div>${aside}`),
  );
  expect(text).toContain(sentence.trim());
  expect(text).not.toContain("ben · ");
});

it("a page is read to its end, whatever sections of character data it opens", () => {
  expect(clean(`<html><body><![CDATA[ <p>x</p>${body}</body></html>`).text).toContain(sentence.trim());
});

it("many marks of threads take no longer than other elements", () => {
  const { text } = clean(page(Array.from({ length: 1_500 }, (_, n) => post(`user${n}`, time("2024-03-01"), `${question} ${n}`)).join("")));
  expect(text).toContain(`${question} 1499`);
  const nested = `${'<div class="a b c d">1 May 2024 <a href="/users/x">ada</a>'.repeat(300)}${"</div>".repeat(300)}`;
  expect(clean(page(nested)).text.length).toBeLessThan(20_000);
});

it("a thread has no label to select code", () => {
  const code = `${answer}<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>light(lamp)</code></pre></div>`;
  const posts = [post("ada", time("2024-03-01"), question), post("ben", time("2024-03-02"), code), post("ada", time("2024-03-04"), thanks)];
  expect(clean(page(posts.join(""))).text).toContain(`${answer}\n\n\`\`\`\nlight(lamp)\n\`\`\``);
});

it("a thread keeps times that only microdata or a script would show", () => {
  const write = (name: string, day: string, text: string): string =>
    `<li class="post"><meta itemprop="datePublished" content="${day}T10:00:00Z"><a href="/user/${name}">${name}</a> wrote <div class="content"><p>${text}</p></div></li>`;
  const posts = [write("ada", "2024-03-01", question), write("ben", "2024-03-02", answer), write("ada", "2024-03-04", thanks)];
  expect(clean(page(`<ul>${posts.join("")}</ul>`)).text).toBe(
    `ada · 2024-03-01\n\n${question}\n\nben · 2024-03-02\n\n${answer}\n\nada · 2024-03-04\n\n${thanks}`,
  );
});
