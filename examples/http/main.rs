//! An agent over HTTP, for two tenants.
//!
//! ```sh
//! cargo run -p graphwright-examples --example http
//! curl -H 'Authorization: Bearer red-key' -d '{"order":"mug","cents":4500}' -H 'Content-Type: application/json' localhost:3000/threads/t1
//! curl -H 'Authorization: Bearer red-key' localhost:3000/inbox
//! curl -H 'Authorization: Bearer red-key' -d 3000 -H 'Content-Type: application/json' localhost:3000/threads/t1/answer
//! curl -H 'Authorization: Bearer red-key' -N localhost:3000/threads/t1/events
//! curl -H 'Authorization: Bearer blue-key' localhost:3000/threads/t1
//! ```

mod desk;
mod server;

use graphwright::prelude::*;
use graphwright::{Scope, Sqlite};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = desk::Refunds::app((), Sqlite::open("http.db").await?);
    // What another process left behind goes on here.
    tokio::spawn(app.work());
    // A real server has its keys from where its secrets are.
    let tenants = [("red-key".to_owned(), Scope::new(["red"])?), ("blue-key".to_owned(), Scope::new(["blue"])?)].into();
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 3000)).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, server::routes(app, tenants)).await?;
    Ok(())
}
