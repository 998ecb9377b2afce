/** Web ports below 1024. All other low ports belong to other services. */
const LOW_WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * High ports of services that do not serve web pages, or serve HTTP to administrators only: the "bad ports" of the WHATWG Fetch
 * standard from 1024 up, and the usual ports of databases, caches, queues, clusters and remote shells.
 */
const CLOSED_PORTS: ReadonlySet<number> = new Set([
  // WHATWG Fetch, port blocking
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // databases and search
  1433, 1434, 1521, 1522, 1830, 2483, 2484, 3050, 3306, 3307, 33060, 4333, 5432, 5433, 5984, 6432, 6984, 7000, 7001, 7199, 7473, 7474, 7687,
  8086, 8087, 8098, 8123, 8529, 9042, 9160, 9200, 9300, 9440, 26257, 27017, 27018, 27019, 28015, 28017, 29015, 50000,
  // caches and queues
  1883, 4222, 4369, 5671, 5672, 6222, 6379, 6380, 8222, 8883, 9092, 9093, 11211, 11300, 15672, 16379, 25672, 26379, 61613, 61616,
  // clusters, containers, configuration
  2181, 2375, 2376, 2377, 2379, 2380, 2888, 3888, 4001, 4194, 4243, 4646, 4647, 4648, 6443, 7946, 8200, 8201, 8300, 8301, 8302, 8500, 8501,
  8600, 10248, 10249, 10250, 10255, 10256, 10257, 10259,
  // remote shells and desktops, file services, proxies, debuggers
  1080, 1099, 1194, 1701, 1812, 1813, 3128, 3260, 3268, 3269, 3389, 3690, 4444, 4848, 4899, 5005, 5222, 5269, 5353, 5355, 5900, 5901, 5902,
  5903, 5938, 5985, 5986, 6001, 6002, 6003, 6881, 8009, 8125, 8649, 9001, 9100, 9229, 9418, 10000, 24007, 50070,
]);

/** Whether a port may serve web pages: 80, 443, and ports from 1024 without another known service. */
export const isWebPort = (port: number): boolean => LOW_WEB_PORTS.has(port) || (port >= 1024 && port <= 65_535 && !CLOSED_PORTS.has(port));
